/** A stored row as answers show it where nothing else is asked for: with the schema's virtuals and getters, without `select: false`. */ import { withFields } from "../access/with-fields.js";
import { shownUnasked } from "../language/fields.js";
import { computedRowOf, modelOf } from "../registry/mongoose.js";
export const computedRow = (model, row)=>withFields(model.computed ? computedRowOf(modelOf(model).hydrate(row)) : row, shownUnasked(model), []);
