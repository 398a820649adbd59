/** `npm run sample`: fills a running server with real films through its API, with a progress bar and a summary. */
import { Presets, SingleBar } from 'cli-progress';
import { makeClient } from './sample/client.ts';
import { credentialsFor } from './sample/credentials.ts';
import { fill, type Filled } from './sample/fill.ts';
import { type Films, filmsFrom } from './sample/films.ts';
import { optionsFrom, type SampleOptions, usage } from './sample/options.ts';
import { readRecords } from './sample/records.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function run(options: SampleOptions): Promise<void> {
  const begun = performance.now();
  const records = await readRecords();
  const source = filmsFrom(records);
  const { headers, made } = await credentialsFor(options);
  if (made !== undefined) say(`Made the first admin: ${made.email}, password ${made.password}`);
  const bar = new SingleBar({ format: '{model} {bar} {value}/{total}', hideCursor: true }, Presets.shades_classic);
  let filled: readonly Filled[];
  try {
    filled = await fill(makeClient(options.url, headers), source.films, {
      ...options,
      progress: (model, done, total) => {
        const label = { model: model.padEnd(6) };
        if (done === 0 || !bar.isActive) bar.start(total, done, label);
        else bar.setTotal(total);
        bar.update(done, label);
      },
    });
  } finally {
    bar.stop();
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  for (const line of summary(records.length, source, filled)) say(line);
  say(`Done in ${seconds} s: ${new URL('/api/film?limit=3', options.url).href}`);
}

/** What was done, line by line. */
function summary(records: number, { films, corrected, leftOut }: Films, filled: readonly Filled[]): string[] {
  const rows = (title: string, counts: ReadonlyMap<string, number>): string[] =>
    counts.size === 0 ? [] : [title, ...[...counts].map(([fault, count]) => `${String(count).padStart(6)}  ${fault}`)];
  return [
    `${records} records, ${films.length} films`,
    ...rows('Corrected:', corrected),
    ...rows('Left out:', leftOut),
    ...filled.map(({ model, added, present }) => `${model.padEnd(8)}${added} added, ${present} there already`),
  ];
}

/** What stopped it, in words. */
function described(error: unknown, { url }: SampleOptions): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof TypeError && error.message === 'fetch failed'
    ? `No server answers at ${url}: start one with npm start`
    : error.message;
}

const options = optionsFrom(process.argv.slice(2), process.env);
if (options.help) say(usage);
else
  await run(options).catch((error: unknown) => {
    process.stderr.write(`${described(error, options)}\n`);
    process.exitCode = 1;
  });
