/** Colours that are told apart by people who see few; text beside them reaches a contrast of 4.5. */
export const palette = ['#0958d9', '#08979c', '#d46b08', '#722ed1', '#c41d7f', '#7cb305', '#595959'] as const;
