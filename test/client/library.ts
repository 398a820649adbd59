/** The models of the cases: authors and their books, with everything that a client calls. */
import type { ModelFiles } from '../support/models.ts';

export const library: ModelFiles = {
  author: ({ Schema }) => new Schema({ name: { type: String, required: true } }, { perms: { all: 'r', user: 'crud' } }),
  book: ({ Schema, ObjectId, Mixed }) => {
    const book = new Schema(
      {
        isbn: { type: String, unique: true, sparse: true },
        title: { type: String, required: true },
        pages: { type: Number, min: 1 },
        published: Date,
        tags: [String],
        author_id: { type: ObjectId, link: 'author', reverse: 'books' },
        print: { colour: String, copies: Number },
        chapters: [{ name: String, pages: Number, author_id: { type: ObjectId, link: 'author' } }],
        meta: Mixed,
      },
      {
        perms: { all: 'r', user: 'crud' },
        advanced_queries: { bulkwrite: true },
        callable_statics: { shout: { needs: 'r', on: 'model' }, grow: { needs: 'u', on: 'document' } },
      },
    );
    book.static('shout', ({ text }: { text: string }) => text.toUpperCase());
    book.static('grow', async (found: any, { by }: { by: number }) => {
      found.pages += by;
      await found.save();
      return found.pages as number;
    });
    book.virtual('label').get(function () {
      return `<${String(this.title)}>`;
    });
    book.index({ title: 'text' });
    return book;
  },
  script: ({ Schema }) =>
    new Schema({ title: String, acts: Number }, { perms: { user: 'crud' }, history: true, timestamps: true }),
  note: ({ Schema }) => new Schema({ text: { type: String, required: true } }, { perms: { user: 'c', owner: 'crud' } }),
};
