/** The plural of names, as Mongoose names collections. */
import mongoose from 'mongoose';

export const pluralOf = (name: string): string => mongoose.pluralize()?.(name) ?? name;
