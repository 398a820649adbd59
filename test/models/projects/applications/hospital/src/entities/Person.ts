import { Schema, model, Model, Document } from 'mongoose';

export interface IPerson extends Document {
  firstName: string;
  lastName: string;
  kind: string;
}

export class PersonClass {
  firstName!: string;
  lastName!: string;

  get fullName(): string {
    return `${this.firstName} ${this.lastName}`;
  }

  set fullName(value: string) {
    [this.firstName, this.lastName] = value.split(' ') as [string, string];
  }

  static async byName<T>(this: Model<T>, lastName: string) {
    return this.find({ lastName } as object);
  }
}

const options = { discriminatorKey: 'kind', collection: 'people' };

const personSchema = new Schema<IPerson>(
  {
    firstName: { type: String, required: true },
    lastName: { type: String, required: true, index: true },
  },
  options,
);
personSchema.loadClass(PersonClass);

export const Person = model<IPerson>('Person', personSchema);
