/**
 * A preload for model files that were written for JXP: `JXPSchema`, `ObjectId` and `Mixed` as globals.
 * Use: `NODE_OPTIONS="--import ./dist/jxp.js" npm start`; see docs/migrating.md.
 */
import mongoose, { Schema, type SchemaOptions } from 'mongoose';

/** A schema whose `_perms` counts as `perms`, and whose `model` gives the schema back: the server compiles it itself. */
class JXPSchema extends Schema {
  constructor(definition: Record<string, unknown>, options: Record<string, unknown> = {}) {
    const { _perms: fields, ...paths } = definition;
    const { _perms: option, ...others } = options;
    const perms = others['perms'] ?? option ?? fields;
    super(paths, { ...others, ...(perms === undefined ? {} : { perms }) } as SchemaOptions as never);
  }

  static model(_name: string, schema: Schema): Schema {
    return schema;
  }
}

Object.assign(globalThis, { JXPSchema, ObjectId: mongoose.Schema.Types.ObjectId, Mixed: mongoose.Schema.Types.Mixed });
