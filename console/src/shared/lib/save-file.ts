/** Hands the viewer a file to keep. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(address);
}

/** Hands the viewer a text as a file to keep. */
export function saveText(name: string, text: string, type: string): void {
  saveFile(name, new Blob([text], { type }));
}
