/** Rounds in which two sides take turns, and the table of their ratios. */
import type { Backend } from './backend.ts';
import { measure } from './load.ts';
import { print } from './print.ts';
import { processorTime, type Running } from './processes.ts';
import { type Credential, type ServerName, type Side, type Workload, workloads } from './workloads.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const milliseconds = Number(process.env['BENCH_SECONDS'] ?? 1) * 1000;
/** Milliseconds for each side before the rounds; more for a server that has answered nothing yet: others have compiled their code. */
const [warmUpMs, firstWarmUpMs] = [Math.max(1500, milliseconds), 8000];
/** Requests of a workload; then they begin again, so that creating them costs little. */
const distinct = 100;

/** A server that is measured, with the header of each credential. */
export interface MeasuredServer extends Running {
  readonly credentials: Readonly<Record<Credential, string>>;
}

export interface Bench {
  readonly backend: Backend;
  readonly servers: Readonly<Partial<Record<ServerName, MeasuredServer>>>;
  /** The query parameter for the page of a side that is not the first one, by the path of the list and the page. */
  readonly cursors: Map<string, string>;
}

/** The results of the rounds of one side. */
interface Results {
  /** Answers in a second. */
  readonly rates: number[];
  /** Microseconds of processor time for a request. */
  readonly costs: number[];
  /** Commands to the database for a request. */
  readonly trips: number[];
}

type Cell = Readonly<Record<'side' | 'against', Results>>;

const emptyResults = (): Results => ({ rates: [], costs: [], trips: [] });

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

const pathFor = ({ model }: Side, path: string): string =>
  model === undefined ? path : path.replace('/item', `/${model}`);

/** The text of a request. */
function textOf({ request }: Workload, number: number, side: Side, bench: Bench): string {
  const { cursors } = bench;
  const credential = side.credential && serverOf(bench, side).credentials[side.credential];
  const { method, path: list, body, type = 'application/json' } = (side.request ?? request)(number);
  const path = list + (cursors.get(cursorKey(list, side)) ?? '');
  const json = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${pathFor(side, path)} HTTP/1.1`,
    'Host: localhost',
    ...(credential === undefined ? [] : [credential]),
    ...(json === '' ? [] : [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(json)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${json}`;
}

function serverOf({ servers }: Bench, { server }: Pick<Side, 'server'>): MeasuredServer {
  const found = servers[server];
  if (found === undefined) throw new Error(`the server "${server}" is not started`);
  return found;
}

const cursorKey = (path: string, { page }: Side): string => `${path} ${page ?? 1}`;

/** Finds the cursor of a page in the page before it. */
async function findCursor({ request, side }: Workload, bench: Bench): Promise<void> {
  if (side.page === undefined) return;
  const { path } = request(0);
  const answer = await fetch(`http://127.0.0.1:${serverOf(bench, side).port}${path}&page=${side.page - 1}`);
  const { next_cursor: cursor } = (await answer.json()) as { readonly next_cursor?: string };
  if (cursor === undefined) throw new Error(`${path} has no page ${side.page}`);
  bench.cursors.set(cursorKey(path, side), `&after=${cursor}`);
}

const bothSides = ['side', 'against'] as const;

/** Whether a workload has one of the names, or begins with one: `history` is each `history: …`. */
const isNamed = ({ name }: Workload, names: readonly string[]): boolean =>
  names.some((one) => name === one || name.startsWith(`${one}: `));

/** Measures the workloads of these names, or all. Those that need a real engine are left out on a replay. */
export async function compare(
  bench: Bench,
  names: readonly string[],
  rows: readonly Workload[] = workloads,
): Promise<void> {
  const isPossible = ({ needsEngine }: Workload): boolean => bench.backend.kind === 'engine' || needsEngine !== true;
  const chosen = rows.filter((one) => isPossible(one) && (names.length === 0 || isNamed(one, names)));
  // before any workload writes, because the replay sends the first update of a document to the engine
  for (const workload of chosen) {
    await findCursor(workload, bench);
    if (workload.side.page === undefined) await checkSame(workload, bench);
  }
  const cells = new Map<Workload, Cell>();
  const warm = new Set<ServerName>();
  for (const workload of chosen) {
    cells.set(workload, { side: emptyResults(), against: emptyResults() });
    for (const side of bothSides) {
      const { server } = workload[side];
      await visit(workload, bench, side, warm.has(server) ? warmUpMs : firstWarmUpMs);
      warm.add(server);
    }
  }
  for (let round = 0; round < rounds; round++)
    for (const [workload, cell] of cells)
      for (const side of round % 2 === 0 ? bothSides : [...bothSides].reverse()) {
        const { rate, cost, trips } = await visit(workload, bench, side, milliseconds);
        cell[side].rates.push(rate);
        cell[side].costs.push(cost);
        cell[side].trips.push(trips);
      }
  table(cells);
}

const reading = /^\/(query|aggregate)\//;

/** Both must give the same data for the same reading request, or the comparison means nothing. */
async function checkSame(workload: Workload, bench: Bench): Promise<void> {
  const { method, path, body } = workload.request(1);
  if ((method !== 'GET' && !reading.test(path)) || workload.against.request !== undefined) return;
  const ask = async (side: Side): Promise<string> => {
    const { port, credentials } = serverOf(bench, side);
    const [name = '', ...value] = side.credential === undefined ? [] : credentials[side.credential].split(': ');
    const response = await fetch(`http://127.0.0.1:${port}${pathFor(side, path)}`, {
      method,
      headers: { 'content-type': 'application/json', ...(name === '' ? {} : { [name]: value.join(': ') }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return path.startsWith('/csv/') ? text : JSON.stringify((JSON.parse(text) as { data: unknown }).data);
  };
  const [ours, theirs] = await Promise.all([ask(workload.side), ask(workload.against)]);
  if (ours !== theirs)
    throw new Error(`${workload.name}: the servers answer differently\n${ours.slice(0, 800)}\n${theirs.slice(0, 800)}`);
}

interface Visit {
  readonly rate: number;
  readonly cost: number;
  readonly trips: number;
}

async function visit(workload: Workload, bench: Bench, which: 'side' | 'against', duration: number): Promise<Visit> {
  const { server, worth = 1 } = workload[which];
  const { child, port } = serverOf(bench, workload[which]);
  const texts: string[] = [];
  const request = (number: number): string =>
    (texts[number % distinct] ??= textOf(workload, number, workload[which], bench));
  const { connections = 32 } = workload;
  await bench.backend.roundTrips();
  const before = processorTime(child) ?? NaN;
  const { rate, answers, failed } = await measure({ port, request, connections, milliseconds: duration });
  if (failed.size > 0) throw new Error(`${workload.name} on ${server}: ${JSON.stringify([...failed])}`);
  const used = (processorTime(child) ?? NaN) - before;
  const done = answers * worth;
  return { rate: rate * worth, cost: (used / done) * 1000, trips: (await bench.backend.roundTrips()) / done };
}

function table(cells: ReadonlyMap<Workload, Cell>): void {
  print(
    '| workload | against | requests/s | of the other | ratio | processor time, µs | of the other | ratio | round trips |',
  );
  print('|---|---|---|---|---|---|---|---|---|');
  for (const [
    {
      name,
      against: { server },
    },
    { side, against },
  ] of cells) {
    const ratio = median(side.rates.map((rate, at) => rate / (against.rates[at] ?? NaN)));
    const costRatio = median(against.costs.map((cost, at) => cost / (side.costs[at] ?? NaN)));
    const whole = [side.rates, against.rates].map((values) => Math.round(median(values))).join(' | ');
    const micros = [side.costs, against.costs].map((values) => Math.round(median(values))).join(' | ');
    const trips = median(side.trips).toFixed(1);
    print(
      `| ${name} | ${server} | ${whole} | **${ratio.toFixed(2)}** | ${micros} | ${costRatio.toFixed(2)} | ${trips} |`,
    );
  }
}
