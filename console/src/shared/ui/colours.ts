/** The few colours that stand outside the kit's own tokens. Text colours reach a contrast of 4.5 on white. */
export const colours = {
  primary: '#1890ff',
  link: '#0958d9',
  button: '#096dd9',
  error: '#cf1322',
  page: '#f5f7fa',
  quietText: 'rgba(0, 0, 0, 0.65)',
  placeholder: 'rgba(0, 0, 0, 0.58)',
} as const;
