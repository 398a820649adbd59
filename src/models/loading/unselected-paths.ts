/** The paths with `select: false`, which answers show only when `fields` names them, as in Mongoose's own queries. */
import type { Schema, SchemaType } from 'mongoose';
import { innerOf } from '../mongoose/internals.ts';

/** @returns dotted paths, through nested schemas and lists of them */
export const unselectedOf = (schema: Schema): readonly string[] =>
  Object.entries(schema.paths).flatMap(([path, type]) => {
    if (isUnselected(type)) return [path];
    const inner = innerOf(type).schema;
    return inner === undefined ? [] : unselectedOf(inner).map((below) => `${path}.${below}`);
  });

const isUnselected = ({ options }: SchemaType): boolean => (options as { select?: unknown }).select === false;
