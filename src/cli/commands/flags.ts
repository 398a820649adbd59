/** Flags that several commands have: names and meanings. */
import { type Command, InvalidArgumentError } from 'commander';

export const modelsFlag = ['--models <folder>', 'folder of the model files, as the setting MODELS_DIR'] as const;
export const portFlag = ['--port <number>', 'TCP port, as the setting PORT; 0 selects a free one'] as const;
export const outFlag = ['--out <file>', 'file to write to; standard output without it'] as const;

/**
 * The value of a flag that a command needs. The parser's own check of such flags would come before that of unknown ones, and hide a
 * misspelt name.
 * @throws CommanderError if it is missing
 */
export function requireFlag(value: string | undefined, flag: string, command: Command): string {
  return value ?? command.error(`error: required option '${flag}' not specified`, { exitCode: 2 });
}

/** The address of a server to ask, which the parser checks. @throws InvalidArgumentError for another text */
export function serverAddress(value: string): string {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
  throw new InvalidArgumentError('It must be an http or https URL, such as https://api.example.com.');
}
