import { Schema, model, Types } from "mongoose";
import { Quiz } from "./quiz.model";

interface IResult {
  quiz: Types.ObjectId;
  player: Types.ObjectId;
  given: Map<string, number[]>;
  points: number;
}

const resultSchema = new Schema<IResult>(
  {
    quiz: { type: Schema.Types.ObjectId, ref: () => Quiz, required: true },
    player: { type: Schema.Types.ObjectId, ref: "Player", required: true },
    given: { type: Map, of: [Number], default: {} },
    points: { type: Number, default: 0, validate: [Number.isInteger, "points must be whole"] },
  },
  { timestamps: { createdAt: "takenAt", updatedAt: false } }
);

resultSchema.index({ quiz: 1, player: 1 }, { unique: true });

resultSchema.pre("validate", async function () {
  const quiz = await Quiz.findById(this.quiz);
  if (!quiz) this.invalidate("quiz", "there is no such quiz");
  else if (this.points > quiz.totalPoints()) this.invalidate("points", "more than all points", this.points);
});

export const Result = model<IResult>("Result", resultSchema);
