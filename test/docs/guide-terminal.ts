/**
 * A terminal in which the commands of a guide are typed: a shell in a folder beside the clone, with this repository's programs. Between two
 * commands it keeps the folder and the variables. A command that serves stays in the background until the next one that does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** What is typed where a command asks for a password, and what `$PASSWORD` is. */
const password = 'correct horse battery';

export interface Outcome {
  /** Undefined while it serves. */
  readonly code: number | null | undefined;
  /** Standard output. */
  readonly output: string;
  /** Standard error. */
  readonly messages: string;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Programs that stand for others: npm links instead of loading, and does not build again what the tests have built; npx runs the programs of
 * `node_modules` itself, which saves half a second for each command.
 */
const standIns: Readonly<Record<string, string>> = {
  npm: `#!/bin/sh
case "$1" in
  ci | install) exec ${quote(process.execPath)} ${quote(resolve('test/docs/npm-install.mjs'))} "$@" ;;
esac
[ "$*" = 'run build' ] || PATH=\${PATH#*:} exec npm "$@"
`,
  npx: `#!/bin/sh
program="node_modules/.bin/$1"
[ -x "$program" ] || PATH=\${PATH#*:} exec npx "$@"
shift
exec "$program" "$@"
`,
};

/** Each request also prints its method and its status, which `Outcome.messages` has. */
const curlrc = 'silent\nshow-error\nwrite-out = "%{stderr}%{method} %{http_code}\\n"\n';

/** A command that runs until it is stopped. */
export const serves = (command: string): boolean =>
  /(?:npx |bin\/)dossier(?: (?:start|dev|store)\b.*)?$|npm (?:start|run dev)$/.test(command);

export class Terminal {
  /** Where the clone is, as `dossier`, and where projects are made beside it. */
  readonly home: string;
  /** The address of the server that the guide has started. */
  address: string | undefined;
  #server: ChildProcess | undefined;
  readonly #state: string;

  /** @param home an empty folder */
  constructor(home: string) {
    this.home = home;
    this.#state = join(home, '.terminal');
    for (const folder of ['.terminal/bin', 'dossier', 'project']) mkdirSync(join(home, folder), { recursive: true });
    for (const [name, text] of Object.entries(standIns))
      writeFileSync(join(this.#state, 'bin', name), text, { mode: 0o755 });
    writeFileSync(join(home, '.curlrc'), curlrc);
    // a clone of links: what a command writes into its folder does not reach the repository
    for (const name of readdirSync('.').filter((one) => !/^(?:\.git|\.env|data|coverage)$/.test(one)))
      symlinkSync(resolve(name), join(home, 'dossier', name));
    writeFileSync(join(this.#state, 'variables'), '');
    this.cd('project');
  }

  /** The working folder. */
  get folder(): string {
    return readFileSync(join(this.#state, 'folder'), 'utf8').trim();
  }

  /** @param folder from the home folder */
  cd(folder: string): void {
    writeFileSync(join(this.#state, 'folder'), join(this.home, folder));
  }

  /** Types a command, and waits until it ends, or serves, after which its outcome still grows. @param variables of the shell, from now on */
  async type(command: string, variables: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    if (serves(command)) await this.end();
    const child = this.#spawn(command, variables);
    const printed = { output: '', messages: '' };
    child.stdout?.on('data', (piece: Buffer) => (printed.output += piece.toString()));
    child.stderr?.on('data', (piece: Buffer) => (printed.messages += piece.toString()));
    const ended = once(child, 'close').then(([code]) => code as number | null);
    if (!serves(command)) return Object.assign(printed, { code: await ended });
    this.#server = child;
    const listens = new Promise<undefined>((found) => {
      child.stdout?.on('data', () => {
        this.address ??= /listens on (\S+)\s/.exec(printed.output)?.[1];
        if (this.address !== undefined) found(undefined);
      });
    });
    return Object.assign(printed, { code: await Promise.race([ended, listens]) });
  }

  /** Stops what serves, and waits until it has ended. */
  async end(): Promise<void> {
    const child = this.#server;
    this.#server = undefined;
    this.address = undefined;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    process.kill(-child.pid, 'SIGTERM');
    await closed;
  }

  /** Scripts of npm that the folder does not have are those of the clone. */
  #isOfClone(command: string): boolean {
    const found = /^(?:\w+=\S+ )*npm (?:ci|start|run (\S+))/.exec(command);
    const manifest = join(this.folder, 'package.json');
    if (found === null || !existsSync(manifest)) return found !== null;
    const { scripts = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { scripts?: object };
    return found[1] !== undefined && !(found[1] in scripts);
  }

  #spawn(command: string, variables: Readonly<Record<string, string>>): ChildProcess {
    const [kept, folder] = ['variables', 'folder'].map((name) => quote(join(this.#state, name)));
    const own = Object.entries(variables).map(([name, value]) => `${name}=${quote(value)}\n`);
    const isOfClone = this.#isOfClone(command);
    const isLast = isOfClone || serves(command);
    const keep = `trap 'code=$?; export -p >${kept}; pwd >${folder}; exit $code' EXIT`;
    const script = ['set -a', `. ${kept}`, ...own, isLast ? '' : keep, command].join('\n');
    const child = spawn('sh', ['-c', script], {
      ...{ cwd: isOfClone ? join(this.home, 'dossier') : this.folder, detached: true, stdio: 'pipe' },
      env: { ...environment(this.home), PATH: `${join(this.#state, 'bin')}${delimiter}${process.env['PATH'] ?? ''}` },
    });
    // a command that asks for nothing may have ended before
    child.stdin.on('error', () => undefined).end(`${password}\n`);
    return child;
  }
}

/** Settings with which a server starts on any machine, beside any other: a free port, cheap passwords, no limit that a loaded machine meets. */
const environment = (home: string): Readonly<Record<string, string>> => ({
  ...{
    HOME: home,
    CURL_HOME: home,
    PASSWORD: password,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  },
  ...{ HOST: '127.0.0.1', PORT: '0', BCRYPT_COST: '4', LOG_LEVEL: 'warn', SHED_AFTER_MS: '0', SLOW_MS: '60000' },
});
