import 'reflect-metadata';
import { getModelForClass, index, modelOptions, pre, prop, type Ref, Severity } from '@typegoose/typegoose';
import { Trainer } from './trainer.model';

export enum Plan {
  Month = 'month',
  Year = 'year',
}

class Card {
  @prop({ required: true, match: /^\d{4}$/ })
  public number!: string;

  @prop({ default: false })
  public blocked!: boolean;
}

@pre<Member>('save', function () {
  this.label = `${this.name} (${this.plan})`;
})
@index({ email: 1 }, { unique: true, sparse: true })
@modelOptions({ schemaOptions: { collection: 'members' }, options: { allowMixed: Severity.ALLOW } })
export class Member {
  @prop({ required: true, trim: true, minlength: 2 })
  public name!: string;

  @prop({ lowercase: true })
  public email?: string;

  @prop({ enum: Plan, default: Plan.Month })
  public plan!: Plan;

  @prop({ ref: () => Trainer })
  public trainer?: Ref<Trainer>;

  @prop({ type: () => Card, _id: false })
  public card?: Card;

  @prop({ type: () => [Number], default: [], validate: { validator: (weights: number[]) => weights.every((one) => one > 0), message: 'no weight' } })
  public weights!: number[];

  @prop()
  public label?: string;

  public get initial(): string {
    return this.name.charAt(0);
  }
}

export const MemberModel = getModelForClass(Member);
