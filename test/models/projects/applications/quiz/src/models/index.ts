export * from "./enums";
export * from "./quiz.model";
export { default as PlayerModel } from "./player.model";
export { Result as ResultModel } from "./result.model";
