import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  /** Shown under the field and tied to it, when it has a fault. */
  fault?: string;
  hint?: string;
  /** At the right of the input, e.g. the captcha's picture. */
  adornment?: ReactNode;
}

/** A labelled input in plain HTML: the sign-in page must not wait for the kit. */
export function Field({ label, fault, hint, adornment, ...input }: FieldProps) {
  const id = useId();
  const described = [fault && `${id}-fault`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="sign-in-field">
      <label htmlFor={id}>{label}</label>
      <div className="sign-in-row">
        <input
          id={id}
          aria-invalid={fault !== undefined}
          aria-describedby={described || undefined}
          {...input}
        />
        {adornment}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="sign-in-hint">
          {hint}
        </p>
      )}
      {fault && (
        <p id={`${id}-fault`} className="sign-in-fault">
          {fault}
        </p>
      )}
    </div>
  );
}
