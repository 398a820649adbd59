/** The public door: what a program or a model file may import. Importing it also makes the model options known to Mongoose's types. */ export { createServer } from "./server.js";
export { SettingsError } from "./settings/read.js";
export { ModelFileError } from "./registry/files.js";
