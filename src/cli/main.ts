// The entry point: passes the command line to `dispatch` and sets the exit code. Importing this file runs it.
import { dispatch } from './dispatch.ts';
import { systemIo } from './io.ts';

process.exitCode = await dispatch(process.argv.slice(2), systemIo());
