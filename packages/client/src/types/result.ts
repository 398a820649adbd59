/** The documents of an answer, by the `fields` and `populate` of the request. */
import type { AlwaysOf, DocumentOf, LinkOf, LinksOf, TargetOf } from './models.ts';

type Whole<Type> = { [Key in keyof Type]: Type[Key] } & {};

type Head<Path extends string> = Path extends `${infer First}.${string}` ? First : Path;
type Rest<Path extends string, First extends string> = Path extends `${First}.${infer Last}` ? Last : never;

/** The fields of a document that are named, nested ones inside their documents and lists. */
type Picked<Document, Path extends string> = {
  [Key in keyof Document as Key extends Head<Path> ? Key : never]: Key extends Path
    ? Document[Key]
    : Key extends string
      ? Within<Document[Key], Rest<Path, Key>>
      : never;
};

type Within<Value, Path extends string> = Value extends readonly (infer Item)[]
  ? Within<Item, Path>[]
  : Value extends object
    ? Picked<Value, Path>
    : Value;

type Without<Document, Path extends string> = {
  [Key in keyof Document as `-${Extract<Key, string>}` extends Path ? never : Key]: Document[Key];
};

/** A document of any fields stays what it is. */
type IsOpen<Document> = string extends keyof Document ? true : false;

/** The document with the `fields` of a request; all of it without any. */
type WithFields<Document, Field extends string, Always> = [Field] extends [never]
  ? Document
  : IsOpen<Document> extends true
    ? Document
    : [Field] extends [`-${string}`]
      ? Whole<Without<Document, Field>>
      : Whole<Picked<Document, Field | Extract<Always, string>>>;

/** The names that `populate` takes: links, and links of the linked documents, three in all. */
export type PopulateOf<Models, Name extends keyof Models, Depth extends number = 3> = [Depth] extends [0]
  ? never
  : {
      [Link in LinkOf<Models, Name>]:
        | Link
        | (string extends Link ? never : `${Link}.${PopulateOf<Models, TargetOf<Models, Name, Link>, Shorter[Depth]>}`);
    }[LinkOf<Models, Name>];
type Shorter = [never, 0, 1, 2];

/** The links that the paths of `populate` begin with. */
type Named<Models, Name extends keyof Models, Path extends string> = {
  [Link in LinkOf<Models, Name>]: Extract<Path, Link | `${Link}.${string}`> extends never ? never : Link;
}[LinkOf<Models, Name>];

/** What a link shows. */
type Linked<Models, Name extends keyof Models, Link extends LinkOf<Models, Name>, Path extends string> = LinksOf<
  Models,
  Name
>[Link] extends { count: true }
  ? number
  : LinksOf<Models, Name>[Link] extends { many: true }
    ? Target<Models, Name, Link, Path>[]
    : Target<Models, Name, Link, Path> | null;

type Target<Models, Name extends keyof Models, Link extends LinkOf<Models, Name>, Path extends string> = LinksOf<
  Models,
  Name
>[Link] extends { document: infer Document }
  ? Document
  : WithLinks<Models, TargetOf<Models, Name, Link>, DocumentOf<Models, TargetOf<Models, Name, Link>>, Rest<Path, Link>>;

/** The mark that a list of a reverse link is incomplete. */
type Mark<Links, Link extends keyof Links> = Links[Link] extends { more: infer More extends string } ? More : never;

/** A document with the value of a link in it: beside its id, or in nested documents and lists. */
type Placed<Document, Path extends string, Value> = Path extends `${infer First}.${infer Last}`
  ? { [Key in keyof Document]: Key extends First ? PlacedIn<Document[Key], Last, Value> : Document[Key] }
  : { [Key in keyof Document as Key extends Path ? never : Key]: Document[Key] } & { [Key in Path]: Value };

type PlacedIn<Inner, Path extends string, Value> = Inner extends readonly (infer Item)[]
  ? PlacedIn<Item, Path, Value>[]
  : Inner extends object
    ? Whole<Placed<Inner, Path, Value>>
    : Inner;

type WithNested<Models, Name extends keyof Models, Document, Link, Path extends string> = [Link] extends [never]
  ? Document
  : Link extends LinkOf<Models, Name>
    ? Placed<Document, Link, Linked<Models, Name, Link, Path>>
    : never;

type IsDotted<Link> = Link extends `${string}.${string}` ? Link : never;

/** The document with the links that `populate` names. */
type WithLinks<Models, Name extends keyof Models, Document, Path extends string> = [Path] extends [never]
  ? Document
  : IsOpen<Document> extends true
    ? Document
    : Whole<
        Beside<
          Models,
          Name,
          WithNested<Models, Name, Document, IsDotted<Named<Models, Name, Path>>, Path>,
          Exclude<Named<Models, Name, Path>, IsDotted<Named<Models, Name, Path>>>,
          Path
        >
      >;

/** A document with links beside their ids. */
type Beside<Models, Name extends keyof Models, Document, Link extends LinkOf<Models, Name>, Path extends string> = {
  [Key in keyof Document as Key extends Link ? never : Key]: Document[Key];
} & { [Key in Link]: Linked<Models, Name, Key, Path> } & {
  [Key in Link as Mark<LinksOf<Models, Name>, Key>]?: true;
};

/** The documents that a request answers. */
export type ResultOf<Models, Name extends keyof Models, Field extends string, Path extends string> = WithLinks<
  Models,
  Name,
  WithFields<DocumentOf<Models, Name>, Field, AlwaysOf<Models, Name>>,
  Path
>;
