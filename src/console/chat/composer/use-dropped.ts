// Files that are dropped anywhere on a room, or pasted into it. While files are dragged over the room, it says so.
import { type ClipboardEvent, type DragEvent, useState } from 'react';

export interface Dropped {
  over: boolean;
  on: {
    onDragOver: (event: DragEvent) => void;
    onDragLeave: (event: DragEvent) => void;
    onDrop: (event: DragEvent) => void;
    onPaste: (event: ClipboardEvent) => void;
  };
}

export function useDropped(take: (files: readonly File[]) => void): Dropped {
  const [over, setOver] = useState(false);
  return {
    over,
    on: {
      onDragOver(event) {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave(event) {
        const { currentTarget, relatedTarget } = event;
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setOver(false);
      },
      onDrop(event) {
        if (!event.dataTransfer.types.includes('Files')) return;
        // Without this the browser would leave the chat and open the file.
        event.preventDefault();
        setOver(false);
        take([...event.dataTransfer.files]);
      },
      onPaste(event) {
        const files = [...event.clipboardData.files];
        if (files.length === 0) return;
        event.preventDefault();
        take(files);
      },
    },
  };
}
