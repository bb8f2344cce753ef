/** What a tool use did, or tried to do, to a file. */
export interface FileAction {
  readonly kind: 'read' | 'change' | 'delete' | 'rename';
  readonly path: string;
  /** The old path of a rename. */
  readonly from?: string;
}
