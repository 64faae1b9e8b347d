import { Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Offer, Permission } from '@/shared/api';
import { PermissionMatrix } from './permission-matrix';
import { READ_ONLY, type ScopeKind, scopeKind } from './scope-kinds';

interface Props {
  offer: Offer;
  /** Whether an account without a scope may stay so. */
  keepsAll: boolean;
  /** Given by the form. */
  id?: string;
  value?: Permission[] | null;
  onChange?: (permissions: Permission[] | null) => void;
}

/** Read only, or chosen operations. */
export function ScopeField({ offer, keepsAll, id, value = null, onChange }: Props) {
  const { t } = useTranslation('authority');
  const [kind, setKind] = useState<ScopeKind>(() => scopeKind(value));
  const choose = (chosen: ScopeKind) => {
    setKind(chosen);
    onChange?.(chosen === 'readOnly' ? READ_ONLY : chosen === 'all' ? null : []);
  };
  const kinds: ScopeKind[] = keepsAll ? ['readOnly', 'chosen', 'all'] : ['readOnly', 'chosen'];
  return (
    <div id={id}>
      <Radio.Group
        aria-label={t('serviceAccount.scope')}
        value={kind}
        onChange={({ target }) => choose(target.value as ScopeKind)}
        options={kinds.map((one) => ({ value: one, label: t(`serviceAccount.scopes.${one}`) }))}
      />
      {kind === 'chosen' && (
        <div className="scope-matrix">
          <PermissionMatrix offer={offer} value={value ?? []} {...(onChange && { onChange })} />
        </div>
      )}
    </div>
  );
}
