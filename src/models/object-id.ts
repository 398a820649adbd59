/** Ids and the BSON types, for the pure parts that must not know Mongoose. */
import mongoose from 'mongoose';

export const { ObjectId } = mongoose.Types;
export type ObjectId = mongoose.Types.ObjectId;
/** The BSON types, as the driver has them. */
export const { BSON } = mongoose.mongo;
/** A schema for documents of which nothing is known: any path may be there, and `id` is a path of its own. */
export const noSchema = (): mongoose.Schema => new mongoose.Schema({ id: {} }, { _id: false, strict: false });
