/** Ids and the BSON types, for pure code that must not import Mongoose. */
import mongoose from 'mongoose';

export const { ObjectId } = mongoose.Types;
export type ObjectId = mongoose.Types.ObjectId;
/** The driver's BSON types. */
export const { BSON } = mongoose.mongo;
