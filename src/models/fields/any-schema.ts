/** The schema of documents that no model describes, such as the output of a pipeline stage. */
import { Schema } from 'mongoose';
import { compileSchema } from './compile-schema.ts';
import type { ModelSchema } from './model-schema.ts';

/** It accepts any path, and `id` is not another name of `_id`. */
export const anySchema: ModelSchema = compileSchema(new Schema({ id: {} }, { _id: false, strict: false }));
