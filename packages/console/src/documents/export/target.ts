/** Where an export goes: a file that the person has chosen, or a download. Neither has a part of the documents when an export fails. */
import { download } from '../../parts/download.ts';
import type { Piece } from './pieces.ts';

export interface Target {
  write(content: Piece['content']): Promise<void>;
  /** The file is there afterwards. */
  finish(): Promise<void>;
  /** Nothing is there afterwards. */
  drop(): Promise<void>;
}

/** The file of a download, and its media type. */
export interface NamedFile {
  readonly name: string;
  readonly type: string;
}

/** Files of the File System Access API, as far as browsers have it. */
interface ChosenFile extends FileSystemFileHandle {
  remove?(): Promise<void>;
}
interface Pickers {
  showSaveFilePicker(options: { readonly suggestedName: string }): Promise<ChosenFile>;
}

const pickers = window as Partial<Pickers>;

/** Whether the browser writes to a file that the person chooses. */
export const canChoose = (): boolean => pickers.showSaveFilePicker !== undefined;

/** Asks for a file; only in an event of the person. @returns undefined where they choose none */
export async function chosenTarget({ name }: NamedFile): Promise<Target | undefined> {
  try {
    const file = await pickers.showSaveFilePicker?.({ suggestedName: name });
    return file === undefined ? undefined : await targetOf(file);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}

async function targetOf(file: ChosenFile): Promise<Target> {
  // the browser writes to another file, which takes the place of this one when it is closed
  const stream = await file.createWritable();
  return {
    write: (content) => stream.write(content),
    finish: () => stream.close(),
    drop: async () => {
      await stream.abort();
      // the picker has made it, or emptied it
      await file.remove?.();
    },
  };
}

/** Characters or bytes that are gathered before the browser gets them. */
const partSize = 1_000_000;

/** A download. The browser has its parts, and keeps those of a large one on disk. */
export function downloadTarget({ name, type }: NamedFile): Target {
  let parts: Blob[] = [];
  let [gathered, size]: [Piece['content'][], number] = [[], 0];
  const pack = (): void => {
    parts.push(new Blob(gathered));
    [gathered, size] = [[], 0];
  };
  return {
    write: (content) => {
      gathered.push(content);
      size += content.length;
      if (size >= partSize) pack();
      return Promise.resolve();
    },
    finish: () => {
      pack();
      download(name, type, new Blob(parts, { type }));
      parts = [];
      return Promise.resolve();
    },
    drop: () => {
      [parts, gathered] = [[], []];
      return Promise.resolve();
    },
  };
}
