"""The view of assignments: students take one, lecturers compose one and grade receipts."""
