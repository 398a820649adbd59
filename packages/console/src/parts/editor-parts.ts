/** What an editor of JSON receives (types only). */
export interface Completion {
  readonly label: string;
  readonly detail: string;
}

export interface EditorParts {
  readonly label: string;
  readonly value: string;
  readonly set: (text: string) => void;
  readonly isReadOnly?: boolean;
  /** Words that the editor offers inside of texts, such as fields and operators. */
  readonly words?: readonly Completion[];
  /** What Ctrl+Enter does. */
  readonly run?: () => void;
}
