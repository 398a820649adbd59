/** The functions by which an application defines its routes and plug-ins (docs/routes.md, docs/plugins.md). */
import type { Plugin } from '../settings/config-file.ts';
import type { ReplyParts, Route, RouteDefinition, RouteSchema } from './contract.ts';

/** Gives a route its types. It is checked when a server starts. */
export const defineRoute = <
  const Path extends string,
  const Params extends RouteSchema | undefined = undefined,
  const Query extends RouteSchema | undefined = undefined,
  const Body extends RouteSchema | undefined = undefined,
>(
  route: RouteDefinition<Path, Params, Query, Body>,
): Route => route;

/** Shared by all copies of this package in a process: a package may have one of its own. */
const mark = Symbol.for('dossier.reply');

/** An answer with a status, headers and a body of its own. */
export interface Reply extends ReplyParts {
  readonly [mark]: true;
}

export const reply = (parts: ReplyParts = {}): Reply => ({ ...parts, [mark]: true });

export const isReply = (value: unknown): value is Reply => typeof value === 'object' && value !== null && mark in value;

/** Gives a plug-in its types. It is checked with the config that lists it. */
export const definePlugin = (plugin: Plugin): Plugin => plugin;

/** What files of the project get from `dossier` besides what model files do. */
export const definitions = { defineRoute, definePlugin, reply };
