export enum Difficulty {
  Easy = 1,
  Medium,
  Hard,
}

export enum QuestionKind {
  Single = "single",
  Multiple = "multiple",
}

export const ROLES = ["player", "host"] as const;
export type Role = (typeof ROLES)[number];
