/** Mongoose on the store, with typical schemas. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose, { type Connection, Schema } from 'mongoose';
import { open, type OpenStore } from '../../src/index.ts';

const authors = new Schema({ name: { type: String, required: true } }, { timestamps: true });
authors.virtual('books', { ref: 'Book', localField: '_id', foreignField: 'author' });

const books = new Schema(
  {
    title: { type: String, required: true },
    isbn: { type: String, unique: true, sparse: true },
    price: { type: Number, min: 0 },
    tags: [String],
    author: { type: Schema.Types.ObjectId, ref: 'Author', index: true },
    chapters: [{ heading: String, pages: Number }],
    expires: { type: Date, expires: 60 },
    summary: String,
    _deleted: { type: Boolean, default: false, index: true },
  },
  { timestamps: true, optimisticConcurrency: true },
);
books.index({ title: 'text', summary: 'text' }, { weights: { title: 5 } });
books.index({ price: 1 }, { partialFilterExpression: { price: { $gt: 100 } } });

describe('mongoose', () => {
  let store: OpenStore;
  let connection: Connection;

  beforeAll(async () => {
    store = await open();
    connection = await mongoose.createConnection(store.url, { dbName: 'library' }).asPromise();
    connection.model('Author', authors);
    connection.model('Book', books);
    await Promise.all(Object.values(connection.models).map((model) => model.init()));
  });

  afterAll(async () => {
    await connection.close();
    await store.close();
  });

  test('creates the indexes of a schema once', async () => {
    const Book = connection.model('Book');
    expect((await Book.listIndexes()).map(({ name }) => name).sort()).toEqual(
      ['_deleted_1', '_id_', 'author_1', 'expires_1', 'isbn_1', 'price_1', 'title_text_summary_text'].sort(),
    );
    expect(await Book.diffIndexes()).toEqual({ toDrop: [], toCreate: [] });
    expect(await Book.syncIndexes()).toEqual([]);
  });

  test('creates, populates, changes and saves', async () => {
    const Author = connection.model('Author');
    const Book = connection.model('Book');
    const author = await Author.create({ name: 'Ann' });
    await Book.create([
      { title: 'One', author: author._id, price: 5, chapters: [{ heading: 'a', pages: 1 }] },
      { title: 'Two', author: author._id, price: 200, tags: ['x'] },
    ]);
    const found = await Book.findOne({ title: 'One' }).populate('author').orFail();
    expect(found.get('author').name).toBe('Ann');
    expect(found.get('_deleted')).toBe(false);
    expect(found.get('createdAt')).toBeInstanceOf(Date);
    const withBooks = await Author.findById(author._id)
      .populate({ path: 'books', options: { sort: { price: -1 } } })
      .orFail();
    expect(withBooks.get('books').map((book: { title: string }) => book.title)).toEqual(['Two', 'One']);
    found.set('chapters.0.pages', 9);
    found.get('tags').push('new');
    await found.save();
    expect((await Book.findById(found._id).orFail()).toObject()).toMatchObject({
      chapters: [{ pages: 9 }],
      tags: ['new'],
      __v: 1,
    });
  });

  test('detects a concurrent save', async () => {
    const Book = connection.model('Book');
    const { _id } = await Book.create({ title: 'Three' });
    const [mine, theirs] = [await Book.findById(_id).orFail(), await Book.findById(_id).orFail()];
    theirs.set('price', 1);
    await theirs.save();
    mine.set('price', 2);
    await expect(mine.save()).rejects.toThrow(mongoose.Error.VersionError);
  });

  test('counts, pages and lists distinct values', async () => {
    const Book = connection.model('Book');
    expect(await Book.countDocuments({ price: { $gt: 100 } })).toBe(1);
    expect(await Book.estimatedDocumentCount()).toBe(3);
    expect(
      (
        await Book.find({ _deleted: { $ne: true } })
          .sort('-title')
          .skip(1)
          .limit(1)
          .lean()
      ).map((book) => (book as { title?: string }).title),
    ).toEqual(['Three']);
    expect((await Book.distinct('tags')).sort()).toEqual(['new', 'x']);
    expect(await Book.exists({ title: 'Two' })).not.toBeNull();
  });

  test('searches text by its score', async () => {
    const Book = connection.model('Book');
    await Book.create([
      { title: 'Running rivers', summary: 'water' },
      { title: 'Water', summary: 'a river runs' },
      { title: 'Stones', summary: 'dry' },
    ]);
    const score = { $meta: 'textScore' } as const;
    const found = await Book.find({ $text: { $search: 'river' } }, { score, title: 1 })
      .sort({ score })
      .lean();
    expect(found.map((book) => (book as { title?: string }).title)).toEqual(['Running rivers', 'Water']);
  });

  test('writes in bulk and in a transaction', async () => {
    const Book = connection.model('Book');
    const result = await Book.bulkWrite([
      { insertOne: { document: { title: 'Bulk' } } },
      { updateOne: { filter: { title: 'Bulk' }, update: { $set: { price: 3 } } } },
      { deleteOne: { filter: { title: 'Stones' } } },
      { updateOne: { filter: { title: 'Nowhere' }, update: { $set: { price: 3 } }, upsert: true } },
    ]);
    expect(result).toMatchObject({ insertedCount: 1, modifiedCount: 1, deletedCount: 1, upsertedCount: 1 });
    await expect(
      connection.transaction(async (session) => {
        await Book.create([{ title: 'Never' }], { session });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await Book.exists({ title: 'Never' })).toBeNull();
  });

  test('reports a duplicate value', async () => {
    const Book = connection.model('Book');
    await Book.create({ title: 'A', isbn: '1' });
    await expect(Book.create({ title: 'B', isbn: '1' })).rejects.toMatchObject({
      code: 11000,
      keyValue: { isbn: '1' },
    });
  });
});
