/** The icons of the console: those of its controls, of its views, and those that a model file can name. */
import {
  ArrowDown,
  ArrowUp,
  Bell,
  Book,
  Box,
  Briefcase,
  Building2,
  Calendar,
  CalendarClock,
  Check,
  Clapperboard,
  ClipboardList,
  CreditCard,
  FileText,
  Flag,
  Folder,
  Globe,
  GripVertical,
  Heart,
  House,
  Image,
  Inbox,
  KeyRound,
  Link,
  ListTodo,
  type LucideIcon,
  Mail,
  MapPin,
  MessageSquare,
  Music,
  Package,
  Pencil,
  Phone,
  Radio,
  Receipt,
  ScrollText,
  Server,
  Settings,
  ShieldCheck,
  ShoppingCart,
  SquareFunction,
  Star,
  Tag,
  Terminal,
  Ticket,
  Truck,
  User,
  Users,
  Webhook,
  Wrench,
  X,
} from 'lucide-react';

/** The icons of controls, whose names are in the labels of their buttons. */
export const icons = {
  up: ArrowUp,
  down: ArrowDown,
  edit: Pencil,
  grip: GripVertical,
  remove: X,
  done: Check,
  person: User,
} as const;

/** The icons of views, by the names of their addresses, and of the pages beside the console. */
export const viewIcons: Readonly<Record<string, LucideIcon>> = {
  live: Radio,
  queries: Terminal,
  functions: SquareFunction,
  rights: ShieldCheck,
  users: Users,
  audit: ScrollText,
  webhooks: Webhook,
  schedules: CalendarClock,
  jobs: ListTodo,
  server: Server,
  reference: FileText,
  guides: Book,
  openapi: Globe,
};

/** The icons that the option `icon` of a model or a path can name (docs/models.md). */
const named: Readonly<Record<string, LucideIcon>> = {
  bell: Bell,
  book: Book,
  box: Box,
  briefcase: Briefcase,
  building: Building2,
  calendar: Calendar,
  card: CreditCard,
  cart: ShoppingCart,
  file: FileText,
  film: Clapperboard,
  flag: Flag,
  folder: Folder,
  globe: Globe,
  heart: Heart,
  home: House,
  image: Image,
  inbox: Inbox,
  key: KeyRound,
  link: Link,
  list: ClipboardList,
  mail: Mail,
  message: MessageSquare,
  music: Music,
  package: Package,
  phone: Phone,
  place: MapPin,
  receipt: Receipt,
  server: Server,
  settings: Settings,
  star: Star,
  tag: Tag,
  ticket: Ticket,
  tool: Wrench,
  truck: Truck,
  user: User,
  users: Users,
};

const namedIcon = (name: string | undefined): LucideIcon | undefined =>
  name !== undefined && Object.hasOwn(named, name) ? named[name] : undefined;

/** The side of an icon in pixels. */
export const iconSize = 16;

/** The icons of models of the server's own. */
const builtIn: Readonly<Record<string, LucideIcon>> = { user: User };

interface ModelIconParts {
  /** The name of the model. */
  readonly name: string;
  /** The option of the model: an emoji, a short text, or the name of an icon. */
  readonly icon: string | undefined;
  /** What is shown of it where it names no icon. */
  readonly short: string | undefined;
}

/** The icon of a model; where the model file has none, that of a model of the server's own, or a folder. */
export function ModelIcon({ name, icon, short }: ModelIconParts) {
  const derived = Object.hasOwn(builtIn, name) ? builtIn[name] : Folder;
  const Named = namedIcon(icon) ?? (short === undefined ? derived : undefined);
  return Named === undefined ? <span aria-hidden>{short}</span> : <Named size={iconSize} />;
}
