"""Personal assignments: each student gets inputs, a model or a mistake of their own, and answers are computed.

`assignment` is what a lecturer composes and a link carries, `kinds/` has one kind of part a file. `student_work` is
what a student has done so far, and `receipt` the signed file that they hand in.
"""
