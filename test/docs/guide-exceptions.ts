/** The commands of the guides that `guides.e2e.test.ts` does not type, each with its reason. One that no guide has any more fails a test. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Exception {
  /** The guide; any without it. */
  readonly guide?: string;
  /** What the command is like. */
  readonly command: RegExp;
  /** Why it is not typed; the test files that run it instead are named by their paths. */
  readonly reason: string;
}

const minutes = 'takes minutes, or measures';
const network = 'needs a registry';

const hasOpenssl = (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'openssl')));

export const exceptions: readonly Exception[] = [
  ...(hasOpenssl ? [] : [{ command: /^openssl /, reason: 'needs openssl, which this machine lacks' }]),
  { command: /^(?:\w+=\S+ )*npm run bench\b/, reason: minutes },
  { command: /^npm ci && npm test$/, reason: 'is the suite' },
  { command: /^npm run test:/, reason: minutes },
  {
    guide: 'docs/command.md',
    command: /^npm run check$/,
    reason: 'test/packages/packed.e2e.test.ts compiles a new project',
  },
  { guide: 'docs/decisions/004-jiti-for-model-files.md', command: /^npm run check$/, reason: minutes },
  { command: /^npm ci --omit|^npm audit/, reason: network },
  { command: /^npm install dossier/, reason: 'the packages are not on npm yet' },
  { command: /^npx serve /, reason: network },
  { command: /\bgit pull\b/, reason: 'needs the repository on another machine' },
  { command: /npm pack\b|\*\.tgz$/, reason: 'test/packages/packed.e2e.test.ts packs and installs' },
  { command: /^docker /, reason: 'needs Docker; test/docs/image.test.ts compares it with the image' },
  { command: /^mongo(?:dump|restore) /, reason: "needs MongoDB's tools" },
  { command: /^claude /, reason: 'is a program of its own' },
  { guide: 'docs/backups.md', command: /dossier|ready/, reason: 'test/docs/restore-drill.e2e.test.ts runs the drill' },
  {
    guide: 'docs/coming-from-express.md',
    command: /dossier/,
    reason: 'test/docs/coming-from-express.e2e.test.ts runs it on the application',
  },
  { command: /\/login\/reset$/, reason: 'needs a link of a mail: test/authentication/recovered-accounts.test.ts' },
  { command: /\/login\/verify$/, reason: 'needs a link of a mail: test/authentication/sign-up.test.ts' },
  { command: /^curl -sSN /, reason: 'does not end: test/realtime/streams.test.ts' },
];

export const exceptionFor = (guide: string, command: string): Exception | undefined =>
  exceptions.find((one) => (one.guide ?? guide) === guide && one.command.test(command));
