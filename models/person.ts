/** People who make films: a unique name and a virtual, which answers show but the database does not hold. */
import { Schema } from 'mongoose';

const person = new Schema(
  { name: { type: String, required: true, unique: true, trim: true, maxlength: 200 } },
  { icon: 'user', perms: { all: 'r', editor: 'crud' } },
);

/** The name as a catalogue sorts it: "Lee, Ang". */
person.virtual('sort_name').get(function () {
  // a document that did not come through the API may have no name
  const parts = this.name?.split(' ') ?? [];
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${last}, ${parts.join(' ')}`;
});

export default person;
