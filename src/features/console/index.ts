/** The console: a page at which documents are browsed and changed (docs/console.md). */
import {
  type Answer,
  appName,
  consolePath as consolePathPort,
  type Context,
  type Feature,
  openAccess,
  type OperationGroup,
  type PlainOperation,
  provide,
  redirect,
  type Settings,
  shapes,
  text,
} from '../../core.ts';
import { consoleConfig } from './config.ts';
import { type ConsoleFile, consoleFile, consoleIndex } from './files.ts';

const consolePath = '/console';
const isOn = ({ console }: Settings): boolean => console.enabled;

const served = {
  access: openAccess('documentation; it names only models on which the caller has some right'),
  openToScopes: true,
  isOn,
} as const satisfies Partial<PlainOperation>;

const consoleOperations: OperationGroup = {
  title: 'Console',
  isDescription: true,
  operations: [
    {
      ...served,
      name: 'pages.console',
      http: { method: 'GET', path: consolePath },
      summary: 'Shows the console',
      answers: { 200: shapes.textOf('text/html') },
      run: index,
    },
    {
      ...served,
      name: 'pages.consoleFile',
      http: { method: 'GET', path: `${consolePath}/:file` },
      summary: 'Returns a file of the console',
      answers: { 200: shapes.textOf('*/*') },
      run: async ({ params, headers }) =>
        asAnswer(await consoleFile(params['file'] ?? '', headers['accept-encoding']?.toString())),
    },
  ] satisfies readonly PlainOperation[],
};

const asAnswer = ({ type, body, headers }: ConsoleFile): Answer => text(type, body, headers);

/** Its files are named relative to `/console`, so that it works below any path that a proxy removes. */
async function index({ url, headers, services }: Context): Promise<Answer> {
  const [path = ''] = url.split('?', 1);
  if (path.endsWith('/')) return redirect('../console');
  const { max_sessions: sessions, login_field: loginField } = services.settings;
  const values = { name: services.of(appName), sessions, loginField };
  return asAnswer(await consoleIndex(values, headers['accept-encoding']?.toString()));
}

export const browserConsole: Feature = {
  name: 'console',
  config: consoleConfig,
  operations: [consoleOperations],
  provides: [
    provide(appName, ({ console }) => console.app_name),
    provide(consolePathPort, (settings) => (isOn(settings) ? consolePath : undefined)),
  ],
};
