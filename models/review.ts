/** Reviews: everyone reads them, any user writes one for a film, only its writer (and an admin) changes or deletes it. */
import { Schema } from 'mongoose';

const { ObjectId } = Schema.Types;

const review = new Schema(
  {
    film_id: { type: ObjectId, link: 'film', reverse: 'reviews', required: true, immutable: true },
    stars: { type: Number, required: true, min: 1, max: 5 },
    text: { type: String, trim: true, maxlength: 5000 },
  },
  { icon: 'star', perms: { all: 'r', user: 'cr', owner: 'crud' } },
);

/** A review is about a film that exists. */
review.pre('save', async function () {
  if (!this.isModified('film_id')) return;
  const film = await this.$model('film').exists({ _id: this.film_id, _deleted: false });
  if (film === null)
    throw Object.assign(new Error('film_id: there is no such film'), { statusCode: 400, expose: true });
});

/** One review of a film by one user; a deleted review does not count. */
review.index({ film_id: 1, _owner_id: 1 }, { unique: true, partialFilterExpression: { _deleted: false } });

export default review;
