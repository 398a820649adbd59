import { Model, Types } from 'mongoose';

export type TGuardian = {
  fatherName: string;
  motherName?: string;
  contactNo: string;
};

export type TChild = {
  id: string;
  name: { firstName: string; middleName?: string; lastName: string };
  gender: 'male' | 'female' | 'other';
  dateOfBirth: Date;
  guardian: TGuardian;
  group: Types.ObjectId;
  allergies: string[];
  isDeleted: boolean;
};

export interface ChildModel extends Model<TChild> {
  isChildExists(id: string): Promise<TChild | null>;
}
