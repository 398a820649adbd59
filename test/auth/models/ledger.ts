import { Schema } from 'mongoose';

export default new Schema({ amount: Number });
