/** The types of the settings table. */

/** The value type of each kind of setting. */
export interface KindTypes {
  readonly text: string;
  readonly secret: string;
  readonly url: string;
  /** A URL without a slash at its end. */
  readonly baseUrl: string;
  readonly host: string;
  readonly database: string;
  readonly mail: string;
  readonly count: number;
  readonly seconds: number;
  readonly milliseconds: number;
  readonly bytes: number;
  /** In milliseconds. */
  readonly duration: number;
  /** In milliseconds. */
  readonly durations: readonly number[];
  /** Host names, addresses and ranges, or `*`. */
  readonly hosts: readonly string[];
  /** A cron expression. */
  readonly cron: string;
  readonly switch: boolean;
  readonly origins: readonly string[];
  readonly folders: readonly string[];
  readonly proxy: boolean | number | readonly string[];
  /** One of the `choices` of the row. */
  readonly choice: string;
}

/** A row of the table. `min` and `max` limit numbers and the length of secrets. */
export interface SettingRow {
  readonly variable: string;
  readonly key: string;
  readonly kind: keyof KindTypes;
  readonly default: string | undefined;
  readonly min?: number;
  readonly max?: number;
  /** The minimum length of a secret that is set in production. */
  readonly minInProduction?: number;
  /** A value of a list that is refused in production, and what it must have instead. */
  readonly notInProduction?: { readonly value: string; readonly rule: string };
  /** The words of a choice. */
  readonly choices?: readonly string[];
  /** Value → the variables of the settings that must be set with it. */
  readonly needs?: Readonly<Record<string, readonly string[]>>;
  /** Whether free text may be shown to admins (`changed.ts`); without it, only that it is set. */
  readonly plain?: true;
  readonly meaning: string;
}

/**
 * The check of a part of a config that is no setting, with the type of its value. It is not called for a config without the part.
 * @returns the faults, one sentence each
 */
export interface ConfigCheck<T = unknown> {
  (value: unknown): readonly string[];
  /** For the compiler only. */
  readonly type?: T;
}

/**
 * What a feature adds to the configuration. It is read before anything else is loaded, and the types of settings are derived from
 * it, so it has a file of its own in the feature's folder, which imports types only.
 */
export interface FeatureConfig {
  readonly settings?: readonly SettingRow[];
  /** The variable of the core that the settings follow in the documentation; without it they come last. */
  readonly settingsAfter?: string;
  /** Parts of the config besides settings and hooks, by their keys. */
  readonly sections?: Readonly<Record<string, ConfigCheck>>;
  /** The names of the hooks of its operations (docs/hooks.md). */
  readonly hooks?: readonly string[];
  /** The kinds of its mails, for which a config may have templates. */
  readonly mails?: readonly string[];
}
