import { Schema, model, Document, Types, PaginateModel, HydratedDocument, Model } from "mongoose";
import paginate from "mongoose-paginate-v2";
import { Difficulty, QuestionKind } from "./enums";
import type { IQuestion, IQuiz } from "./quiz.types";

export interface QuizDocument extends Document, IQuiz {
  totalPoints(): number;
}

const AnswerSchema = new Schema(
  {
    text: { type: String, required: true },
    correct: { type: Boolean, required: true, default: false },
  },
  { _id: false }
);

const QuestionSchema = new Schema<IQuestion>({
  text: { type: String, required: true, minlength: 3 },
  kind: { type: String, enum: Object.values(QuestionKind), default: QuestionKind.Single },
  points: { type: Number, default: 1, min: 0 },
  answers: {
    type: [AnswerSchema],
    validate: {
      validator(this: IQuestion, answers: { correct: boolean }[]) {
        const right = answers.filter((a) => a.correct).length;
        return this.kind === QuestionKind.Single ? right === 1 : right >= 1;
      },
      message: "wrong number of right answers",
    },
  },
});

const QuizSchema: Schema<QuizDocument, PaginateModel<QuizDocument>> = new Schema(
  {
    title: { type: String, required: true },
    author: { type: Schema.Types.ObjectId, ref: "Player", required: true, index: true },
    difficulty: { type: Number, enum: [Difficulty.Easy, Difficulty.Medium, Difficulty.Hard], default: Difficulty.Medium },
    questions: [QuestionSchema],
    isPublished: { type: Boolean, default: false },
    publishedAt: { type: Date },
    settings: {
      shuffle: { type: Boolean, default: true },
      timeLimit: { type: Number, default: null },
    },
  },
  { timestamps: true }
);

QuizSchema.methods.totalPoints = function (this: QuizDocument): number {
  return this.questions.reduce((sum, q) => sum + (q.points ?? 0), 0);
};

QuizSchema.pre<QuizDocument>("save", function () {
  if (this.isModified("isPublished") && this.isPublished) this.publishedAt = new Date();
});

QuizSchema.plugin(paginate);

export const Quiz = model<QuizDocument, PaginateModel<QuizDocument>>("Quiz", QuizSchema);
export type QuizId = Types.ObjectId;
export type AnyQuiz = HydratedDocument<IQuiz>;
export type AnyModel = Model<IQuiz>;
