/** Finds where a text is not JSON (RFC 8259). `JSON.parse` reports that in words that differ by version, and not always with a position. */

/** The first fault: its line and column, counted from 1, and what stands there in place of what is expected. */
interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/** The end of a message about a text that is not JSON: `: line 2, column 9: expected a value, got "}"`; empty for JSON. */
export function whereNotJson(text: string): string {
  const fault = jsonFaultOf(text);
  return fault === undefined ? '' : `: line ${fault.line}, column ${fault.column}: ${fault.reason}`;
}

/** The first fault of a text; undefined for JSON. Its work is linear, and its depth is not limited. */
export function jsonFaultOf(text: string): JsonFault | undefined {
  const found = new Scanner(text).fault();
  if (found === undefined) return undefined;
  const before = text.slice(0, found.at);
  return {
    line: before.split('\n').length,
    column: found.at - before.lastIndexOf('\n'),
    reason: found.reason ?? `expected ${found.expected ?? ''}, got ${characterAt(text, found.at)}`,
  };
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(code));
}

interface Found {
  readonly at: number;
  readonly expected?: string;
  readonly reason?: string;
}

/** What comes next. */
type State = 'value' | 'item or end' | 'name or end' | 'name' | 'separator';

const space = /[ \t\n\r]*/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const closing = { '[': ']', '{': '}' } as const;

class Scanner {
  #at = 0;
  readonly #open: (keyof typeof closing)[] = [];
  #state: State = 'value';
  #found: Found | undefined;

  constructor(private readonly text: string) {}

  fault(): Found | undefined {
    while (this.#found === undefined) {
      this.#skip(space);
      if (this.#state === 'separator' && this.#open.length === 0)
        return this.#at === this.text.length ? undefined : { at: this.#at, expected: 'the end' };
      this.#step();
    }
    return this.#found;
  }

  /** Reads the next part, or notes the fault. */
  #step(): void {
    const next = this.text[this.#at];
    const top = this.#open.at(-1);
    const end = top === undefined ? undefined : closing[top];
    const mayEnd = this.#state !== 'value' && this.#state !== 'name';
    if (mayEnd && next === end) {
      this.#open.pop();
      this.#advance('separator');
    } else if (this.#state === 'separator') {
      if (next === ',') this.#advance(top === '[' ? 'value' : 'name');
      else this.#expect(`"," or "${end ?? ''}"`);
    } else if (this.#state === 'name' || this.#state === 'name or end') this.#name();
    else this.#value(next);
  }

  #advance(state: State): void {
    this.#at += 1;
    this.#state = state;
  }

  #expect(expected: string): void {
    this.#found = { at: this.#at, expected };
  }

  #value(next: string | undefined): void {
    if (next === '[' || next === '{') {
      this.#open.push(next);
      this.#advance(next === '[' ? 'item or end' : 'name or end');
    } else if (next === '"') this.#string();
    else if (!this.#skip(scalar)) this.#expect('a value');
    this.#state = next === '[' || next === '{' ? this.#state : 'separator';
  }

  #name(): void {
    if (this.text[this.#at] !== '"') return this.#expect('a name in double quotes');
    this.#string();
    if (this.#found !== undefined) return;
    this.#skip(space);
    if (this.text[this.#at] !== ':') return this.#expect('":"');
    this.#advance('value');
  }

  #string(): void {
    this.#at += 1;
    for (;;) {
      const code = this.text.charCodeAt(this.#at);
      if (Number.isNaN(code)) return this.#expect('a closing quote');
      if (code < 0x20) return this.#refuse('a control character in a text must be escaped, such as \\n');
      if (code === 0x22) break;
      if (code !== 0x5c) this.#at += 1;
      else if (!this.#skip(escape)) return this.#refuse('a backslash must begin an escape, such as \\\\');
    }
    this.#at += 1;
  }

  #refuse(reason: string): void {
    this.#found = { at: this.#at, reason };
  }

  /** Skips what a sticky pattern matches. @returns whether that is anything */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.text) ?? [];
    this.#at += found.length;
    return found !== '';
  }
}
