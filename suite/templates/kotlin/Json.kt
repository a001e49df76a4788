package suite

/** A JSON object from its fields. */
fun json(vararg fields: Pair<String, Any?>): Map<String, Any?> = linkedMapOf(*fields)
