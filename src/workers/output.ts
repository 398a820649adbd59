/** The last lines that a worker has written, kept by its primary: a worker that is killed cannot be asked for them. */

/** Maximum characters that are kept of a worker, and of all that have ended. */
const maxLength = 250_000;

export class LastOutput {
  #pieces: string[] = [];
  #length = 0;

  /** @param text whole lines */
  add(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
    while (this.#length > maxLength && this.#pieces.length > 1) this.#length -= this.#pieces.shift()?.length ?? 0;
  }

  get text(): string {
    return this.#pieces.join('');
  }

  /** The lines of its log, without what models have written. */
  get logLines(): readonly string[] {
    return this.text.split('\n').filter(isLogLine);
  }
}

/** Whether a line is JSON with a time, as the log writes it. */
function isLogLine(line: string): boolean {
  if (!line.startsWith('{"level":')) return false;
  try {
    return typeof (JSON.parse(line) as { readonly time?: unknown }).time === 'string';
  } catch {
    return false;
  }
}
