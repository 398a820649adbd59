import 'reflect-metadata';
import { getModelForClass, plugin, prop } from '@typegoose/typegoose';
import paginate from 'mongoose-paginate-v2';

@plugin(paginate)
export class Trainer {
  @prop({ required: true, unique: true })
  public code!: number;

  @prop({ type: () => [String], set: (list: string[]) => list, lowercase: true })
  public sports?: string[];

  @prop({ min: 0, max: 5, default: 3 })
  public rank!: number;

  public async isFree(): Promise<boolean> {
    return this.rank > 0;
  }
}

export const TrainerModel = getModelForClass(Trainer);
