import { Types } from "mongoose";
import { Difficulty, QuestionKind } from "./enums";

export interface IQuestion {
  text: string;
  kind: QuestionKind;
  points?: number;
  answers: { text: string; correct: boolean }[];
}

export interface IQuiz {
  title: string;
  author: Types.ObjectId;
  difficulty: Difficulty;
  questions: IQuestion[];
  isPublished: boolean;
  publishedAt?: Date;
}
