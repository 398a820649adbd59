/** Applies the query string to a query of Mongoose: ?price[gte]=500&sort=-price&fields=name,price&page=2&limit=3 */
class APIFeatures {
  constructor(query, given) {
    this.query = query;
    this.given = given;
  }

  filter() {
    const filter = {};
    for (const [key, value] of Object.entries(this.given)) {
      if (['page', 'sort', 'limit', 'fields', 'search'].includes(key)) continue;
      const [, path, operator] = /^(.+)\[(gte|gt|lte|lt)\]$/.exec(key) ?? [];
      if (path === undefined) filter[key] = value;
      else filter[path] = { ...filter[path], [`$${operator}`]: value };
    }
    if (this.given.search) filter.$text = { $search: this.given.search };
    this.query = this.query.find(filter);
    return this;
  }

  sort() {
    this.query = this.query.sort(this.given.sort ? this.given.sort.split(',').join(' ') : '-createdAt');
    return this;
  }

  limitFields() {
    this.query = this.query.select(this.given.fields ? this.given.fields.split(',').join(' ') : '-__v');
    return this;
  }

  paginate() {
    const page = Number(this.given.page ?? 1);
    const limit = Number(this.given.limit ?? 100);
    this.query = this.query.skip((page - 1) * limit).limit(limit);
    return this;
  }
}

module.exports = APIFeatures;
