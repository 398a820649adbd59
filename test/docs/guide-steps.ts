/**
 * What a guide asks its reader to do, in order: files to save, commands to type, and what these show. Read from the Markdown, so that a new
 * guide and a new command are steps without an edit here.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { examplesOf } from './examples.ts';

/** The README and all of `docs`. */
export const guides: readonly string[] = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name).replaceAll('\\', '/'))
    .sort(),
];

export interface Command {
  readonly kind: 'command';
  /** A line of a shell, or several which belong together; without the comment behind it. */
  readonly text: string;
  /** The line of the guide in which it begins, from 1. */
  readonly line: number;
  /** Whether it is in a sentence, where it may repeat one of a block. */
  readonly isInline: boolean;
  /** The end of what it prints, as the guide shows it. */
  readonly output?: string;
}

/** A file that the reader saves, or that a command is said to write. */
interface File {
  readonly kind: 'saved' | 'written';
  readonly path: string;
  readonly text: string;
}

export type Step = Command | File;

interface Block {
  readonly language: string;
  /** The file of which it is the content; empty for most. */
  readonly path: string;
  readonly text: string;
  readonly line: number;
  readonly at: number;
  readonly end: number;
}

const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'shell', 'console', 'zsh']);
const programs = 'npx|npm|node|curl|docker|git|openssl|mongo(?:sh|dump|restore|import|export)|claude|systemctl|sudo';
/** A program with arguments; without any, it is a name. */
const typed = new RegExp(`^(?:\\w+=\\S* )*(?:${programs}) \\S`);

function blocksIn(markdown: string): readonly Block[] {
  return [...markdown.matchAll(/^( *)```(\w*) ?(\S*)\n([\s\S]*?)^ *```$/gm)].map((match) => {
    const [whole, indent = '', language = '', path = '', inner = ''] = match;
    const text = inner.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const before = markdown.slice(0, match.index);
    const [, saved = ''] =
      /Save this as `([^`]+)`:\s*$/.exec(before) ?? /^(?:\/\/|#) ((?:models\/\S+|\.env))\n/.exec(text) ?? [];
    const line = before.split('\n').length;
    return { language, path: path || saved, text, line, at: match.index, end: match.index + whole.length };
  });
}

const quoted = /'[^']*'|"(?:[^"\\]|\\.)*"/g;

/** The commands of a block with their lines, counted from 0. A command ends where no quote and no backslash continues it. */
function commandsIn(block: string): readonly { readonly text: string; readonly line: number }[] {
  const commands: { text: string; line: number }[] = [];
  let open: string | undefined;
  for (const [line, piece] of block.split('\n').entries()) {
    const text = open === undefined ? piece : `${open}\n${piece}`;
    const isOpen = text.endsWith('\\') || /^[^#]*['"]/.test(text.replace(quoted, ''));
    open = isOpen ? text : undefined;
    if (!isOpen) commands.push({ text: text.trim(), line: line - text.split('\n').length + 1 });
  }
  return commands;
}

/** Without a comment at the end; a text of spaces and a comment is empty. */
const withoutComment = (text: string): string =>
  text.replace(/('[^']*'|"(?:[^"\\]|\\.)*")|(^|\s)#.*/g, (_, quote: string | undefined) => quote ?? '').trim();

/** A block of commands, of which the last one prints what the next block shows: a `text`, or a comment that is JSON. */
function commandsOf({ text, line }: Block, next: Block | undefined): readonly Command[] {
  const lines = commandsIn(text);
  const commands = lines.filter((one) => withoutComment(one.text) !== '');
  return commands.map((one, at) => {
    const [shown] = lines.slice(lines.indexOf(one) + 1).map((other) => /^# ([[{].*)$/.exec(other.text)?.[1] ?? '');
    const after = at === commands.length - 1 && next?.language === 'text' ? next.text : '';
    const output = (shown ?? '') || after;
    return {
      ...{ kind: 'command' as const, text: withoutComment(one.text), line: line + 1 + one.line, isInline: false },
      ...(output === '' ? {} : { output }),
    };
  });
}

/** A named block before the first command is saved, as are sources; JSON and text are what a command writes. */
const fileOf = ({ language, path, text }: Block): File => ({
  kind: ['json', 'text'].includes(language) ? 'written' : 'saved',
  path,
  text,
});

/** All steps of a guide, in their order. Requests that are shown with their answers are not among them: `requestsIn` has these. */
export function stepsOf(markdown: string): readonly Step[] {
  const blocks = blocksIn(markdown);
  const requests = new Set(requestsIn(markdown));
  const found: (readonly [at: number, steps: readonly Step[]])[] = blocks.map((block, index) => {
    if (block.path !== '') return [block.at, [fileOf(block)]];
    if (!shells.has(block.language) || requests.has(block.text.trim())) return [block.at, []];
    return [block.at, commandsOf(block, blocks[index + 1])];
  });
  for (const match of markdown.matchAll(/`([^`\n]+)`/g)) {
    const [, text = ''] = match;
    const isInBlock = blocks.some(({ at, end }) => at <= match.index && match.index < end);
    if (isInBlock || !typed.test(text)) continue;
    const line = markdown.slice(0, match.index).split('\n').length;
    found.push([match.index, [{ kind: 'command', text, line, isInline: true }]]);
  }
  return found.sort(([one], [other]) => one - other).flatMap(([, steps]) => steps);
}

/** The requests that a guide shows with their answers, which `examples.test.ts` sends. */
const requestsIn = (markdown: string): readonly string[] => examplesOf(markdown, {}).map(({ command }) => command);

/** Blocks that look like commands and are not marked as such, so that they would be left out: the line of each. */
export const unmarkedIn = (markdown: string): readonly number[] =>
  blocksIn(markdown)
    .filter(({ language, text }) => !shells.has(language) && text.split('\n').some((line) => typed.test(line)))
    .map(({ line }) => line);

export const textOf = (guide: string): string => readFileSync(guide, 'utf8');
