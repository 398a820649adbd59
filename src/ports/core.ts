/** The ports of a server that `services.of` finds a value for: facts about itself, and what few of its parts use. */
import type { JobRequest } from '../api/contract.ts';
import type { Groups, OwnAccount, UserData } from '../auth/contract.ts';
import type { AccountEvents } from '../auth/events/contract.ts';
import type { Passwords } from '../auth/passwords/contract.ts';
import type { SessionList } from '../auth/sessions/contract.ts';
import type { RequestWatch } from '../metrics/request-watch.ts';
import type { NewEntry } from '../outbox/contract.ts';
import type { Feed } from '../realtime/changes/contract.ts';
import type { Adviser, Services } from '../services.ts';
import type { Settings } from '../settings/types.ts';
import type { Core } from './parts.ts';
import { port } from './port.ts';

/** The address at which browsers and other programs reach this server: `API_URL`, or the address that it listens on. */
export const serverUrl = port<void, () => string>('URL of the server');

/** The x-setup-token that `/setup` requires; undefined where it requires none. */
export const requiredSetupToken = port<void, string | undefined>('token of the setup');

/** The folder of the embedded store, which servers may share; undefined where the data are elsewhere, or only in memory. */
export const embeddedFolder = port<void, string | undefined>('folder of the embedded store');

/** Whether the embedded store has stopped permanently. With workers it is the primary's, which then stops them. */
export const hasStoreStopped = port<void, () => boolean>('state of the embedded store');

/** Milliseconds by which short durations are measured, independent of the clock. */
export const monotonicClock = port<void, () => number>('monotonic clock');

/** What all advisers say. */
export const advice = port<void, Adviser>('advice');

/** Makes the entry of a job; of one feature. What it makes throws a TypeError for a job that cannot be run. */
export const jobEntry = port<Services, (request: JobRequest) => Promise<NewEntry>>('entry of a job', () =>
  Promise.reject(new TypeError('api.later: this server has no jobs')),
);

/** The name of the project; of one feature. */
export const appName = port<Settings, string>('name of the project', 'Dossier');

/** The path of a console for browsers; undefined where there is none, or the settings switch it off. */
export const consolePath = port<Settings, string | undefined>('path of the console', undefined);

/** Receives the requests that have been answered; of one feature. */
export const requestWatch = port<Core, RequestWatch>('watch of requests', { answered: () => undefined });

/** All changes in one order. */
export const changeFeed = port<void, Feed>('feed of changes');

export const ownAccount = port<void, OwnAccount>('account of a user');

export const sessionList = port<void, SessionList>('list of sessions');

export const groupMembers = port<void, Groups>('groups of users');

/** The data that the server keeps for users. */
export const userData = port<void, UserData>('data of users');

export const passwordHashing = port<void, Passwords>('hashing of passwords');

/** Receives the events of accounts with the unit of work in which they happen, and passes them on to the listeners. */
export const accountRecorder = port<void, AccountEvents>('recorder of accounts');

/** Counts a request of a signed-in user; undefined where they have no limit. What it makes throws a 429. */
export const userLimit = port<void, ((user: string) => void | Promise<void>) | undefined>('limit of users');
