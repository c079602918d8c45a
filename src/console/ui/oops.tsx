// Shows the failure of a view and keeps the rest of the page working.
import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Empty } from './note.tsx';

interface Props {
  children: ReactNode;
}

export class OopsBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    // The host was updated while the page was open, so the file that the page wants to load is gone.
    if (error instanceof TypeError && /import|module/i.test(error.message)) {
      return (
        <Empty alone title="The host has a newer page">
          <Button tone="primary" onClick={() => location.reload()}>
            Load it
          </Button>
        </Empty>
      );
    }
    if (error instanceof Error && error.message.startsWith('Unable to preload')) {
      return (
        <Empty alone title="This view could not be loaded">
          <p>The host does not answer, or it has a newer page.</p>
          <Button tone="primary" onClick={() => location.reload()}>
            Try again
          </Button>
        </Empty>
      );
    }
    return (
      <Empty alone title="This view has a fault">
        <p>{error instanceof Error ? error.message : 'It is not known which.'}</p>
        <Button onClick={() => this.setState({ error: undefined })}>Show it again</Button>
      </Empty>
    );
  }
}
