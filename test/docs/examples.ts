/** Examples in Markdown: a curl request, and the JSON answer that follows it. */

export interface Example {
  readonly command: string;
  readonly url: string;
  readonly init: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string };
  readonly answer: unknown;
}

interface Block {
  readonly language: string;
  readonly text: string;
}

/** All code blocks, in order. */
export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }));

/** The requests that are followed by their answer. `variables` stand for `$NAME` in the command. */
export function examplesOf(markdown: string, variables: Readonly<Record<string, string>>): Example[] {
  const blocks = blocksOf(markdown);
  return blocks.flatMap(({ language, text }, at) => {
    const next = blocks[at + 1];
    if (language !== 'sh' || !text.startsWith('curl ') || next?.language !== 'json') return [];
    return [{ ...requestOf(text.trim(), variables), answer: JSON.parse(next.text) as unknown }];
  });
}

function requestOf(command: string, variables: Readonly<Record<string, string>>): Omit<Example, 'answer'> {
  const headers: Record<string, string> = {};
  let method: string | undefined;
  let body: string | undefined;
  let url = '';
  const words = wordsOf(command, variables).slice(1);
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-g' || word === '-s') continue;
    if (word === '-X') method = words.shift();
    else if (word === '-d') body = words.shift();
    else if (word === '-u') headers['authorization'] = `Basic ${Buffer.from(words.shift() ?? '').toString('base64')}`;
    else if (word === '-H') {
      const [name = '', value = ''] = (words.shift() ?? '').split(/:\s*/, 2);
      headers[name] = value;
    } else if (word.startsWith('http')) url = word;
    else throw new Error(`the examples know no ${word}`);
  }
  return {
    command,
    url,
    init: { method: method ?? (body === undefined ? 'GET' : 'POST'), headers, ...(body === undefined ? {} : { body }) },
  };
}

/** Splits words like a shell: `'…'` literally, `"…"` and bare words with variables. */
export function wordsOf(command: string, variables: Readonly<Record<string, string>>): string[] {
  const words = command.replaceAll('\\\n', ' ').match(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"])+/g) ?? [];
  return words.map((word) =>
    word.replace(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|([^'"]+)/g,
      (_, single?: string, double?: string, bare?: string) =>
        single ??
        (double?.replace(/\\(.)/g, '$1') ?? bare ?? '').replace(
          /\$([A-Z]+)/g,
          (whole, name: string) => variables[name] ?? whole,
        ),
    ),
  );
}

const id = /^[0-9a-f]{24}$/;
const date = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const placeholders: Readonly<Record<string, (value: unknown) => boolean>> = {
  '<id>': (value) => typeof value === 'string' && id.test(value),
  '<date>': (value) => typeof value === 'string' && date.test(value),
  '<text>': (value) => typeof value === 'string',
  '<list>': Array.isArray,
  '<number>': (value) => typeof value === 'number',
  '<document>': (value) => typeof value === 'object' && value !== null && '_id' in value,
};

/** The model files among the code blocks, which begin with their path, such as `// models/user.ts`. By file name. */
export const modelsOf = (markdown: string): Record<string, string> =>
  Object.fromEntries(
    blocksOf(markdown).flatMap(({ text }) => {
      const [, name] = /^\/\/ models\/(\S+)\n/.exec(text) ?? [];
      return name === undefined ? [] : [[name, text]];
    }),
  );

/** The settings among the code blocks, which begin with `# .env`. */
export const environmentOf = (markdown: string): Record<string, string> =>
  Object.fromEntries(
    blocksOf(markdown)
      .filter(({ language, text }) => language === 'ini' && text.startsWith('# .env\n'))
      .flatMap(({ text }) =>
        [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
      ),
  );

/** The answer, with the example's placeholders in place of the values that match them. */
export function withPlaceholders(value: unknown, expected: unknown): unknown {
  if (typeof expected === 'string' && placeholders[expected]?.(value) === true) return expected;
  if (Array.isArray(value))
    return value.map((member, at) => withPlaceholders(member, Array.isArray(expected) ? expected[at] : undefined));
  if (typeof value !== 'object' || value === null) return value;
  const known = (typeof expected === 'object' ? expected : null) as Readonly<Record<string, unknown>> | null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withPlaceholders(inner, known?.[key])]));
}
