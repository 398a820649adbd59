/** Flags that several commands have: names and meanings. */
export const modelsFlag = ['--models <folder>', 'folder of the model files, as the setting MODELS_DIR'] as const;
export const portFlag = ['--port <number>', 'TCP port, as the setting PORT; 0 selects a free one'] as const;
export const outFlag = ['--out <file>', 'file to write to; standard output without it'] as const;
