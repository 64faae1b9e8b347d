/** Milliseconds without input after which a page counts as unattended. */
const UNATTENDED_AFTER = 60_000;

let touchedAt = Date.now();

/** Starts to observe the user's input. */
export function watchAttendance(): void {
  const touched = () => {
    touchedAt = Date.now();
  };
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel']) {
    window.addEventListener(type, touched, { capture: true, passive: true });
  }
}

export function isUnattended(): boolean {
  return Date.now() - touchedAt > UNATTENDED_AFTER;
}
