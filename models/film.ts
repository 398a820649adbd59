/** Films: a text index, a link, a list of links, a unique key and a function that callers may run. */
import { type Model, Schema } from 'mongoose';

const { ObjectId } = Schema.Types;

interface Span {
  readonly from?: unknown;
  readonly to?: unknown;
}

const yearOr = (value: unknown, otherwise: number): number => {
  const year = value === undefined ? otherwise : Number(value);
  return Number.isInteger(year) ? year : otherwise;
};

const film = new Schema(
  {
    title: { type: String, required: true, trim: true, maxlength: 300 },
    year: { type: Number, min: 1888, max: 2100, index: true },
    released: { type: Date },
    director_id: { type: ObjectId, link: 'person', reverse: 'films', index: true },
    tag_id: { type: [{ type: ObjectId, link: 'tag' }], index: true },
    certificate: { type: String, enum: ['G', 'PG', 'PG-13', 'R', 'NC-17', 'Not Rated'] },
    minutes: { type: Number, min: 1 },
    distributor: { type: String, trim: true },
    budget: { type: Number, min: 0 },
    us_gross: { type: Number, min: 0 },
    worldwide_gross: { type: Number, min: 0 },
    dvd_sales: { type: Number, min: 0 },
    rating: { type: Number, min: 0, max: 10, index: true },
    votes: { type: Number, min: 0 },
    tomatoes: { type: Number, min: 0, max: 100 },
  },
  {
    icon: 'film',
    perms: { all: 'r', editor: 'crud' },
    callable_statics: { statistics: 'r' },
    statics: {
      /** How many films the years `from` to `to` have, and their mean and best rating. */
      async statistics(this: Model<unknown>, span?: Span | null) {
        const { from, to } = span ?? {};
        const years = { $gte: yearOr(from, 1888), $lte: yearOr(to, 2100) };
        const [figures] = await this.aggregate<Record<string, unknown>>([
          { $match: { year: years, _deleted: false } },
          { $group: { _id: null, films: { $sum: 1 }, mean: { $avg: '$rating' }, best: { $max: '$rating' } } },
          { $project: { _id: 0, films: 1, mean: { $round: ['$mean', 2] }, best: 1 } },
        ]);
        return figures ?? { films: 0, mean: null, best: null };
      },
    },
  },
);

film.index({ title: 'text' });
film.index({ title: 1, year: 1 }, { unique: true });

export default film;
