/** Makes the models of a connection answer to all their names, in `this.model()`, `this.db.model()` and Mongoose's own `populate`. */
import type { Connection } from 'mongoose';
import type { AnyModel } from './handle.ts';

/** @param find the model on the connection that answers to a name */
export function answerToNames(connection: Connection, find: (name: string) => AnyModel | undefined): void {
  const model = connection.model.bind(connection) as (name: unknown, ...given: unknown[]) => unknown;
  const answer = (name: unknown, ...given: unknown[]): unknown => {
    const isLookup = given.length === 0 && typeof name === 'string' && connection.models[name] === undefined;
    return (isLookup ? find(name) : undefined) ?? model(name, ...given);
  };
  Object.assign(connection, { model: answer });
}
