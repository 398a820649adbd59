/** Ids, for the pure parts that must not know Mongoose. */
import mongoose from 'mongoose';

export const { ObjectId } = mongoose.Types;
export type ObjectId = mongoose.Types.ObjectId;
