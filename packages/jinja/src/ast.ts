import type { Value } from './values/types.ts';
import type { BinaryOperator } from './values/operators.ts';

/**
 * The syntax tree of a template. `offset` is the place in the source at which an error in the node is
 * reported: the operator's or name's own place if there is one, so that a caret points at the fault.
 */
interface Base {
  readonly offset: number;
}

export interface Name extends Base {
  kind: 'name';
  name: string;
  /** The use of the variable: read, assigned, or declared as a parameter. */
  context: 'load' | 'store' | 'param';
}
/** `ns.attribute` as the target of a `set`. */
export interface NamespaceRef extends Base {
  kind: 'namespaceRef';
  name: string;
  attribute: string;
}
export interface Const extends Base {
  kind: 'const';
  value: Value;
}
export interface TupleNode extends Base {
  kind: 'tuple';
  items: Expression[];
}
export interface ListNode extends Base {
  kind: 'list';
  items: Expression[];
}
export interface DictNode extends Base {
  kind: 'dict';
  items: { key: Expression; value: Expression }[];
}
export interface Conditional extends Base {
  kind: 'conditional';
  test: Expression;
  whenTrue: Expression;
  otherwise: Expression | null;
}
export interface Binary extends Base {
  kind: 'binary';
  operator: BinaryOperator;
  left: Expression;
  right: Expression;
}
export interface Logical extends Base {
  kind: 'and' | 'or';
  left: Expression;
  right: Expression;
}
export interface Unary extends Base {
  kind: 'unary';
  operator: '-' | '+' | 'not';
  operand: Expression;
}
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';
export interface Compare extends Base {
  kind: 'compare';
  left: Expression;
  operations: { operator: ComparisonOperator; right: Expression; offset: number }[];
}
export interface Concat extends Base {
  kind: 'concat';
  items: Expression[];
}
export interface GetAttribute extends Base {
  kind: 'getattr';
  object: Expression;
  name: string;
}
export interface GetItem extends Base {
  kind: 'getitem';
  object: Expression;
  key: Expression;
}
/** `start:stop:step` as the key of a GetItem. */
export interface SliceNode extends Base {
  kind: 'slice';
  start: Expression | null;
  stop: Expression | null;
  step: Expression | null;
}
export interface CallArguments {
  args: Expression[];
  kwargs: { name: string; value: Expression }[];
  /** `*expression` */
  rest: Expression | null;
  /** `**expression` */
  keywords: Expression | null;
}
export interface Call extends Base, CallArguments {
  kind: 'call';
  callee: Expression;
}
export interface Filter extends Base, CallArguments {
  kind: 'filter';
  name: string;
  /** Null when the filter applies to the text of a block. */
  input: Expression | null;
}
export interface Test extends Base, CallArguments {
  kind: 'test';
  name: string;
  input: Expression;
}

/** Marks text as safe if output is escaped. */
export interface MarkSafe extends Base {
  kind: 'markSafe';
  operand: Expression;
}

export type Expression =
  | Name
  | NamespaceRef
  | Const
  | TupleNode
  | ListNode
  | DictNode
  | Conditional
  | Binary
  | Logical
  | Unary
  | Compare
  | Concat
  | GetAttribute
  | GetItem
  | SliceNode
  | Call
  | Filter
  | Test
  | MarkSafe;

/** A node that can be assigned to. */
export type Target = Name | NamespaceRef | TupleNode;

/** Text that is copied to the output. */
export interface TemplateData extends Base {
  kind: 'data';
  text: string;
}
export interface Output extends Base {
  kind: 'output';
  items: (TemplateData | Expression)[];
}
export interface For extends Base {
  kind: 'for';
  target: Target;
  iterable: Expression;
  body: Statement[];
  otherwise: Statement[];
  test: Expression | null;
  recursive: boolean;
}
export interface If extends Base {
  kind: 'if';
  test: Expression;
  body: Statement[];
  elifs: If[];
  otherwise: Statement[];
}
/** The parameters of a macro or a call block; the defaults belong to the last of them. */
export interface Parameters {
  parameters: Name[];
  defaults: Expression[];
}
export interface Macro extends Base, Parameters {
  kind: 'macro';
  name: string;
  body: Statement[];
}
export interface CallBlock extends Base, Parameters {
  kind: 'callBlock';
  call: Call;
  body: Statement[];
}
export interface FilterBlock extends Base {
  kind: 'filterBlock';
  filter: Filter;
  body: Statement[];
}
export interface With extends Base {
  kind: 'with';
  targets: Target[];
  values: Expression[];
  body: Statement[];
}
export interface Block extends Base {
  kind: 'block';
  name: string;
  body: Statement[];
  scoped: boolean;
  required: boolean;
}
export interface Extends extends Base {
  kind: 'extends';
  template: Expression;
}
export interface Include extends Base {
  kind: 'include';
  template: Expression;
  withContext: boolean;
  ignoreMissing: boolean;
}
export interface Import extends Base {
  kind: 'import';
  template: Expression;
  target: string;
  withContext: boolean;
}
export interface FromImport extends Base {
  kind: 'fromImport';
  template: Expression;
  names: { name: string; alias: string }[];
  withContext: boolean;
}
export interface Assign extends Base {
  kind: 'assign';
  target: Target;
  value: Expression;
}
export interface AssignBlock extends Base {
  kind: 'assignBlock';
  target: Target;
  filter: Filter | null;
  body: Statement[];
}
export interface Autoescape extends Base {
  kind: 'autoescape';
  value: Expression;
  body: Statement[];
}
export interface Do extends Base {
  kind: 'do';
  expression: Expression;
}
export interface LoopControl extends Base {
  kind: 'break' | 'continue';
}
/** `{% debug %}` */
export interface Debug extends Base {
  kind: 'debug';
}

export type Statement =
  | Output
  | For
  | If
  | Macro
  | CallBlock
  | FilterBlock
  | With
  | Block
  | Extends
  | Include
  | Import
  | FromImport
  | Assign
  | AssignBlock
  | Autoescape
  | Do
  | LoopControl
  | Debug;

export interface TemplateNode {
  kind: 'template';
  body: Statement[];
}

export type Node = Statement | Expression | TemplateData | TemplateNode;

/**
 * Returns the direct children of a node in the order in which Jinja2 visits them, which determines the scope
 * of declarations (`compile/names.ts`).
 */
export function children(node: Node): Node[] {
  switch (node.kind) {
    case 'template':
      return node.body;
    case 'output':
    case 'tuple':
    case 'list':
    case 'concat':
      return node.items;
    case 'for':
      return [node.target, node.iterable, ...node.body, ...node.otherwise, ...optional(node.test)];
    case 'if':
      return [node.test, ...node.body, ...node.elifs, ...node.otherwise];
    case 'macro':
      return [...node.parameters, ...node.defaults, ...node.body];
    case 'callBlock':
      return [node.call, ...node.parameters, ...node.defaults, ...node.body];
    case 'filterBlock':
      return [...node.body, node.filter];
    case 'with':
      return [...node.targets, ...node.values, ...node.body];
    case 'block':
      return node.body;
    case 'extends':
    case 'include':
    case 'import':
    case 'fromImport':
      return [node.template];
    case 'assign':
      return [node.target, node.value];
    case 'assignBlock':
      return [node.target, ...optional(node.filter), ...node.body];
    case 'autoescape':
      return [node.value, ...node.body];
    case 'do':
      return [node.expression];
    case 'dict':
      return node.items.flatMap(({ key, value }) => [key, value]);
    case 'conditional':
      return [node.test, node.whenTrue, ...optional(node.otherwise)];
    case 'binary':
    case 'and':
    case 'or':
      return [node.left, node.right];
    case 'unary':
    case 'markSafe':
      return [node.operand];
    case 'compare':
      return [node.left, ...node.operations.map(({ right }) => right)];
    case 'getattr':
      return [node.object];
    case 'getitem':
      return [node.object, node.key];
    case 'slice':
      return [...optional(node.start), ...optional(node.stop), ...optional(node.step)];
    case 'call':
      return [node.callee, ...argumentNodes(node)];
    case 'filter':
      return [...optional(node.input), ...argumentNodes(node)];
    case 'test':
      return [node.input, ...argumentNodes(node)];
    case 'name':
    case 'namespaceRef':
    case 'const':
    case 'data':
    case 'break':
    case 'continue':
    case 'debug':
      return [];
  }
}

function optional(node: Expression | null): Expression[] {
  return node === null ? [] : [node];
}

function argumentNodes({ args, kwargs, rest, keywords }: CallArguments): Expression[] {
  return [...args, ...kwargs.map(({ value }) => value), ...optional(rest), ...optional(keywords)];
}

/** Iterates over every node below `node`, itself excluded, in the order of the source. */
export function* descendants(node: Node): Generator<Node> {
  // The loop replaces recursion: nested generators take time that grows with the depth for each node.
  const open = children(node).toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    const below = children(next);
    for (let i = below.length - 1; i >= 0; i--) {
      const child = below[i];
      if (child !== undefined) open.push(child);
    }
  }
}
